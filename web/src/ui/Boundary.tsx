import { Component, type ReactNode } from "react";
import type { Dictionary } from "../i18n/en";

/**
 * A mistake in the page never leaves an empty screen: it says that the work is safe and offers a reload. Around
 * a part, it leaves the rest of the page at work.
 */
export class Boundary extends Component<
  { words: Dictionary; isPart?: boolean; children: ReactNode },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    const { broken } = this.props.words;
    if (this.props.isPart) return <p className="problem">{broken.title}</p>;
    return (
      <main className="broken" role="alert">
        <p>{broken.title}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {broken.reload}
        </button>
      </main>
    );
  }
}
