/** Links into the page: a task, a question or an object by its id, behind the page's own address. */
import type { Id } from "../contract";

export interface Linked {
  kind: "task" | "approval" | "object";
  id: Id;
}

const FORM = /^#(task|approval|object)=([0-9A-Za-z-]{1,64})$/;

export function parseLink(hash: string): Linked | null {
  const [, kind, id] = FORM.exec(hash) ?? [];
  return kind && id ? { kind: kind as Linked["kind"], id } : null;
}

export const linkTo = ({ kind, id }: Linked, page: string): string =>
  `${page.split("#", 1)[0]}#${kind}=${id}`;
