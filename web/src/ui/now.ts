import { useEffect, useState } from "react";

const TICK_MS = 30_000;

/** The time, renewed twice a minute: enough for "in 23 minutes". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** From here on the panel stands beside the chat; the stylesheets know the same number. */
export const WIDE = "(min-width: 1080px)";

/** Whether the window is at least this wide; follows it. */
export function useIsWide(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = (): void => setMatches(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}
