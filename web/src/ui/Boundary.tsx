import { Component, type ReactNode } from "react";
import type { Dictionary } from "../i18n/en";

/** A mistake in the page never leaves an empty screen: it says that the work is safe and offers a reload. */
export class Boundary extends Component<
  { words: Dictionary; children: ReactNode },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    const { broken } = this.props.words;
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
