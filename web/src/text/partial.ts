/** Markdown that is still being written. */

/**
 * Close what a reply that is still being written has opened in its last paragraph, so that emphasis and code
 * look right from their first letter on.
 */
export function healPartial(text: string): string {
  const fences = text.match(/^\s*```/gm)?.length ?? 0;
  if (fences % 2 === 1) return `${text}\n\`\`\``;
  const start = Math.max(text.lastIndexOf("\n") + 1, 0);
  let tail = text.slice(start).replace(/\s+$/, "");
  const ticks = tail.match(/`/g)?.length ?? 0;
  if (ticks % 2 === 1) return `${text.slice(0, start)}${tail}\``;
  tail = tail.replace(/(^|\s)(\*{1,2}|_{1,2})$/, "$1"); // an opening with nothing in it yet
  const strong = tail.match(/\*\*/g)?.length ?? 0;
  if (strong % 2 === 1) tail += tail.endsWith("*") && !tail.endsWith("**") ? "*" : "**";
  return text.slice(0, start) + tail;
}
