import { type ReactNode, useEffect, useState } from "react";
import type { Artifact } from "../contract";
import { useLanguage } from "../i18n";
import { api, contentUrl } from "../net/api";
import { toWebVtt } from "../text/format";

interface FilmProps {
  film: Artifact;
  poster: Artifact | null;
  captions: Artifact[];
}

/** A film in the browser's own player, with its captions as a track. */
export function Film({ film, poster, captions }: FilmProps): ReactNode {
  const { words } = useLanguage();
  const [isBroken, setBroken] = useState(false);
  const track = useCaptions(captions);
  const width = size(film, "width");
  const height = size(film, "height");
  const isUpright = width !== undefined && height !== undefined && height > width;
  // without a poster the first moment stands in for one
  const source = poster ? contentUrl(film) : `${contentUrl(film)}#t=0.1`;
  return (
    <div className={isUpright ? "film upright" : "film"}>
      <video
        key={source}
        controls
        playsInline
        preload="metadata"
        src={source}
        poster={poster ? contentUrl(poster) : undefined}
        width={width}
        height={height}
        aria-label={film.name}
        onPlay={(event) => pauseOthers(event.currentTarget)}
        onError={() => setBroken(true)}
      >
        {track && (
          <track
            kind="captions"
            src={track.url}
            srcLang={track.language}
            label={words.panel.captions}
          />
        )}
      </video>
      {isBroken && <p className="problem">{words.panel.filmUnplayable}</p>}
    </div>
  );
}

/** The same film stands in the chat and in the panel: only one of them is heard. */
function pauseOthers(playing: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>("video, audio")) {
    if (other !== playing) other.pause();
  }
}

function size(object: Artifact, side: "width" | "height"): number | undefined {
  const value = object.meta[side];
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** The captions as WebVTT: the file itself where there is one, else SubRip turned into it. */
function useCaptions(captions: Artifact[]): { url: string; language: string } | null {
  const ready = captions.find((file) => file.media_type.startsWith("text/vtt"));
  const convertible = captions.find((file) => file.media_type.includes("subrip"));
  const toConvert = ready ? null : (convertible ?? null);
  const [converted, setConverted] = useState<string | null>(null);
  const source = toConvert ? contentUrl(toConvert) : null;

  useEffect(() => {
    if (source === null) return;
    let url: string | null = null;
    let isWanted = true;
    api.text(source).then(
      (text) => {
        if (!isWanted) return;
        url = URL.createObjectURL(new Blob([toWebVtt(text)], { type: "text/vtt" }));
        setConverted(url);
      },
      () => undefined, // a film without captions is still a film
    );
    return () => {
      isWanted = false;
      if (url !== null) URL.revokeObjectURL(url);
      setConverted(null);
    };
  }, [source]);

  const file = ready ?? toConvert;
  const url = ready ? contentUrl(ready) : converted;
  if (!file || url === null) return null;
  const language = file.meta["language"];
  return { url, language: typeof language === "string" ? language : "" };
}
