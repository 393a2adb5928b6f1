/**
 * Markdown of an untrusted writer as HTML that is safe to show.
 *
 * Nothing in it may load, run, style or submit: pictures become their words, links open away from the page
 * and tell nothing about it.
 */
import DOMPurify from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true, async: false });
marked.use({
  renderer: {
    image: ({ text, href }) => escapeHtml(text || href),
    html: ({ text }) => escapeHtml(text),
  },
});

const TAGS =
  "a p br hr strong em del code pre ul ol li blockquote h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(
    " ",
  );

const purifier = DOMPurify();
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A") return;
  node.setAttribute("rel", "noopener noreferrer nofollow");
  node.setAttribute("target", "_blank");
});

export function renderMarkdown(text: string): string {
  return purifier.sanitize(marked.parse(text) as string, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start"],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
