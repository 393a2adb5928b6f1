import "@fontsource-variable/hanken-grotesk/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/cards.css";
import "./styles/panel.css";
import "./styles/graph.css";
import "./styles/media.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { chooseLanguage, LanguageContext, wantedLanguage } from "./i18n";
import { api } from "./net/api";
import { connect } from "./net/connection";
import { holdPresses } from "./press";
import { client, follow, tell } from "./state/app";
import { keep, restore } from "./state/keep";
import { parseLink } from "./state/links";
import { store } from "./state/store";
import { App } from "./ui/App";
import { Boundary } from "./ui/Boundary";

const language = chooseLanguage(
  navigator.languages.length > 0 ? navigator.languages : [navigator.language],
  wantedLanguage(),
);
document.documentElement.lang = language.tag;

restore(store);
keep(store);
holdPresses(document);
connect({
  sink: client.sink,
  loadSnapshot: api.snapshot,
  openFeed: (url) => new EventSource(url),
  page: document,
  network: window,
  random: Math.random,
});

/** Go where the address leads, once; afterwards it is the page's plain address again. */
async function followAddress(): Promise<void> {
  const linked = parseLink(location.hash);
  if (!linked) return;
  history.replaceState(null, "", location.pathname);
  if (!(await follow(linked))) tell(language.words.link.lost, "warning");
}

const stopWaiting = store.subscribe(() => {
  if (store.get().log.epoch === null) return;
  stopWaiting();
  void followAddress();
});
window.addEventListener("hashchange", () => void followAddress());

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element.");
createRoot(root).render(
  <StrictMode>
    <LanguageContext value={language}>
      <Boundary words={language.words}>
        <App />
      </Boundary>
    </LanguageContext>
  </StrictMode>,
);
