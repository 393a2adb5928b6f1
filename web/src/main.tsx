import "@fontsource-variable/hanken-grotesk/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/cards.css";
import "./styles/panel.css";
import "./styles/media.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { chooseLanguage, LanguageContext } from "./i18n";
import { api } from "./net/api";
import { connect } from "./net/connection";
import { client } from "./state/app";
import { keep, restore } from "./state/keep";
import { store } from "./state/store";
import { App } from "./ui/App";
import { Boundary } from "./ui/Boundary";

const language = chooseLanguage(
  navigator.languages.length > 0 ? navigator.languages : [navigator.language],
);
document.documentElement.lang = language.tag;

restore(store);
keep(store);
connect({
  sink: client.sink,
  loadSnapshot: api.snapshot,
  openFeed: (url) => new EventSource(url),
  page: document,
  network: window,
  random: Math.random,
});

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
