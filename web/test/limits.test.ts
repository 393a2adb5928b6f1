import { describe, expect, test } from "vitest";
import { limitsOf, typedOf } from "../src/text/limits";

const LIMITS = { rounds: 400, rounds_without_progress: 3, seconds: 86_400 };

describe("the limits of a production", () => {
  test("are typed again as they were saved, with a point or a comma", () => {
    for (const locale of ["en-US", "de-DE", "ar-EG"]) {
      for (const seconds of [86_400, 5_400, 60]) {
        expect(limitsOf(typedOf({ ...LIMITS, seconds }, locale))).toEqual({ ...LIMITS, seconds });
      }
    }
    expect(typedOf({ ...LIMITS, seconds: 5_400 }, "de-DE").hours).toBe("1,5");
  });

  test.each([
    ["rounds", ""], ["rounds", "0"], ["rounds", "100001"], ["rounds", "1.5"], ["barren", "101"], ["barren", "-1"],
    ["hours", "0"], ["hours", "0.001"], ["hours", "9000"], ["hours", "soon"],
  ])("%s cannot be %o", (name, typed) => {
    expect(limitsOf({ ...typedOf(LIMITS, "en"), [name]: typed })).toBeNull();
  });
});
