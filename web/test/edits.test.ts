import { describe, expect, test } from "vitest";
import { changesOf, fieldsOf } from "../src/text/edits";

const GIVEN = {
  width: 1280,
  palette: ["#aabbcc"],
  prompt: "a harbour",
  style: "",
  max_duration_s: null,
  image_object_id: "o",
  duration_s: 4.5,
};

describe("a call's arguments", () => {
  test("are fields in a fixed order; what nobody could write is left out", () => {
    expect(fieldsOf(GIVEN)).toEqual([
      { name: "prompt", kind: "passage", value: "a harbour" },
      { name: "style", kind: "line", value: "" },
      { name: "width", kind: "number", value: "1280" },
      { name: "duration_s", kind: "number", value: "4.5" },
      { name: "max_duration_s", kind: "number", value: "" },
    ]);
    expect(fieldsOf({})).toEqual([]);
  });

  test.each([
    [{}, {}],
    [{ prompt: "a harbour", width: "1280", max_duration_s: "" }, {}],
    [{ width: "1280.0" }, {}],
    [{ width: "800", prompt: "dawn" }, { width: 800, prompt: "dawn" }],
    [{ duration_s: "3.25", max_duration_s: "9" }, { duration_s: 3.25, max_duration_s: 9 }],
    [{ width: " ", style: " " }, { width: null, style: " " }],
    [{ fps: "30" }, {}],
  ])("typed %o, changes are %o", (typed, changes) => {
    expect(changesOf(GIVEN, typed)).toEqual(changes);
  });
});
