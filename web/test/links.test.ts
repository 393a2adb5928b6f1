import { describe, expect, test } from "vitest";
import { linkTo, parseLink } from "../src/state/links";

describe("a link", () => {
  test.each(["task", "approval", "object"] as const)("to one %s leads there again", (kind) => {
    const linked = { kind, id: "01a22be1-db0e-7656-b9bc-38c8dffba85e" };
    const link = linkTo(linked, "http://127.0.0.1:8321/#task=another");
    expect(link).toBe(`http://127.0.0.1:8321/#${kind}=${linked.id}`);
    expect(parseLink(new URL(link).hash)).toEqual(linked);
  });

  test.each(["", "#", "#task=", "#user=1", "#task=1/../2", "#task=<b>", `#task=${"1".repeat(65)}`])(
    "is not %o",
    (hash) => {
      expect(parseLink(hash)).toBeNull();
    },
  );
});
