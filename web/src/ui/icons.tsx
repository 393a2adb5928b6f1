/** Line icons on a 20-unit grid; decorative, so words always stand beside them or in their button's label. */
import type { StepStatus } from "../contract";
import type { ReactNode } from "react";

function icon(drawing: ReactNode, className = ""): (props: { className?: string }) => ReactNode {
  return ({ className: extra = "" }) => (
    <svg
      className={`icon ${className} ${extra}`.trim()}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  );
}

export const ArrowUp = icon(<path d="M10 16V4.5M5 9.2l5-5 5 5" />);
export const ArrowDown = icon(<path d="M10 4v11.5M5 10.8l5 5 5-5" />);
export const Cross = icon(<path d="M5 5l10 10M15 5L5 15" />);
export const Check = icon(<path d="M4.5 10.5l3.6 3.6 7.4-8" />);
export const ChevronLeft = icon(<path d="M12.5 4.5L7 10l5.5 5.5" />);
export const ChevronRight = icon(<path d="M7.5 4.5L13 10l-5.5 5.5" />);
export const ChevronDown = icon(<path d="M4.5 7.5L10 13l5.5-5.5" />);
export const Pause = icon(<path d="M7 4.5v11M13 4.5v11" />);
export const Play = icon(<path d="M6.5 4.2v11.6l9-5.8z" />);
export const Stop = icon(<rect x="5" y="5" width="10" height="10" rx="1.5" />);
export const Pen = icon(<path d="M4 16l.8-3.4L13.5 4l2.5 2.5-8.6 8.7zM11.6 5.8l2.6 2.6" />);
export const Download = icon(<path d="M10 3.5v9M6 9l4 4 4-4M4 16.5h12" />);
export const Turn = icon(<path d="M4 10a6 3.2 0 1 1 4 3M8 10.8L7.6 13.2l2.4 1" />);
export const Document = icon(<path d="M5.5 2.8h6l3 3.2v11.2h-9zM8 9.5h4M8 12.5h4" />);
export const File = icon(<path d="M5.5 2.8h6l3 3.2v11.2h-9zM11.3 3v3.2h3" />);
export const Warning = icon(<path d="M10 3.2l7.2 13H2.8zM10 8.4v3.4M10 14.1v.1" />);
export const Info = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 9.2v4.2M10 6.4v.1" />
  </>,
);
export const Hand = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6v4.4l2.8 1.8" />
  </>,
);
export const Link = icon(
  <path d="M8.4 11.6a3 3 0 0 0 4.3 0l2.6-2.7a3 3 0 0 0-4.3-4.2l-1 1M11.6 8.4a3 3 0 0 0-4.3 0l-2.6 2.7A3 3 0 0 0 9 15.3l1-1" />,
);
export const List = icon(<path d="M7.5 5.5H16M7.5 10H16M7.5 14.5H16M4 5.5h.1M4 10h.1M4 14.5h.1" />);
export const Sliders = icon(
  <>
    <path d="M3.5 6.5h7M14.5 6.5h2M3.5 13.5h2M9.5 13.5h7" />
    <circle cx="12.5" cy="6.5" r="2" />
    <circle cx="7.5" cy="13.5" r="2" />
  </>,
);
export const Away = icon(<path d="M4 5v3.5a3 3 0 0 0 3 3h9M12.5 7.5l4 4-4 4" />);
export const Box = icon(<path d="M3.5 4.5h13v3.2h-13zM4.8 7.7v7.8h10.4V7.7M8.2 10.6h3.6" />);
export const Merge = icon(<path d="M4.5 4.5c0 4.5 5.5 3.5 5.5 8M15.5 4.5c0 4.5-5.5 3.5-5.5 8M10 12.5v4M7.6 14.2l2.4 2.4 2.4-2.4" />);
export const Again = icon(<path d="M4.3 9a6 6 0 1 1 .8 4.3M4 4.8V9h4.2" />);
export const Eye = icon(
  <>
    <path d="M2.8 10c1.8-3.4 4.2-5 7.2-5s5.4 1.6 7.2 5c-1.8 3.4-4.2 5-7.2 5s-5.4-1.6-7.2-5z" />
    <circle cx="10" cy="10" r="2.2" />
  </>,
);
export const Branch = icon(
  <>
    <path d="M6.4 5.500h3.100c2.2 0 1.8 4.5 4.1 4.500M6.4 14.500h3.100c2.2 0 1.8-4.5 4.1-4.5" />
    <circle cx="4.5" cy="5.5" r="1.7" />
    <circle cx="4.5" cy="14.5" r="1.7" />
    <circle cx="15.5" cy="10" r="1.7" />
  </>,
);
export const Copy = icon(<path d="M7.5 7.5h8.5v9h-8.5zM4 12.5v-9h8.5" />);
export const Plus = icon(<path d="M10 4.5v11M4.5 10h11" />);
export const Sparse = icon(<path d="M4 6.5h12M4 10h8M4 13.5h5" />);

/** The mark of a state: its shape says as much as its colour. */
const MARKS = {
  todo: <circle cx="10" cy="10" r="6.2" strokeDasharray="2.4 2.9" />,
  ready: <circle cx="10" cy="10" r="6.2" />,
  doing: (
    <>
      <circle cx="10" cy="10" r="6.2" opacity=".3" />
      <path className="spins" d="M10 3.8A6.2 6.2 0 0 1 16.2 10" />
    </>
  ),
  waiting: (
    <>
      <circle cx="10" cy="10" r="6.2" />
      <path d="M10 6.6v3.7l2.3 1.4" />
    </>
  ),
  paused: (
    <>
      <circle cx="10" cy="10" r="6.2" />
      <path d="M8.4 7.8v4.4M11.6 7.8v4.4" />
    </>
  ),
  done: (
    <>
      <circle cx="10" cy="10" r="7" className="filled" />
      <path className="cut" d="M6.8 10.2l2.2 2.2 4.3-4.6" />
    </>
  ),
  failed: (
    <>
      <circle cx="10" cy="10" r="7" className="filled" />
      <path className="cut" d="M7.6 7.6l4.8 4.8M12.4 7.6l-4.8 4.8" />
    </>
  ),
  stopped: (
    <>
      <circle cx="10" cy="10" r="6.2" />
      <path d="M5.8 14.2l8.4-8.4" />
    </>
  ),
} as const;

export type MarkName = keyof typeof MARKS;

const MARK_ICONS = Object.fromEntries(
  Object.entries(MARKS).map(([name, drawing]) => [name, icon(drawing, `mark mark-${name}`)]),
) as Record<MarkName, (props: { className?: string }) => ReactNode>;

/** The mark of a step; what was left when its task ended has the mark of the stop. */
export const markOf = (standing: StepStatus | "left"): MarkName =>
  MARKED_AS[standing] ?? (standing as MarkName);

const MARKED_AS: Partial<Record<StepStatus | "left", MarkName>> = {
  left: "stopped",
  review: "waiting",
  rejected: "stopped",
};

export function Mark({ name }: { name: MarkName }): ReactNode {
  const Drawn = MARK_ICONS[name];
  return <Drawn />;
}

export function Logo(): ReactNode {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d="M4.5 19.5v-15h15v15H9.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="square"
      />
      <circle cx="12" cy="12" r="2.4" fill="currentColor" />
    </svg>
  );
}
