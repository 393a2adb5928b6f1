/**
 * A press belongs to the control it began on, also where the page moves beneath the pointer: without
 * this a browser gives the click to whatever both places have in common, and what was pressed is
 * lost. Moving the pointer away still takes a press back (WCAG 2.5.2).
 */
export function holdPresses(page: Document): void {
  let began: { pointerId: number; x: number; y: number; control: Element } | null = null;

  page.addEventListener("pointerdown", ({ target, pointerId, isPrimary, clientX: x, clientY: y }) => {
    began = null;
    const control = target instanceof Element ? target.closest("button") : null;
    if (!control || !isPrimary) return;
    control.setPointerCapture(pointerId);
    began = { pointerId, x, y, control };
  });
  page.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
    if (began?.pointerId !== pointerId) return;
    if (Math.hypot(clientX - began.x, clientY - began.y) <= AS_GOOD_AS_STILL) return;
    const { control } = began;
    began = null;
    if (control.hasPointerCapture(pointerId)) control.releasePointerCapture(pointerId);
  });
}

/** In CSS pixels: what a hand moves while it presses. */
const AS_GOOD_AS_STILL = 10;
