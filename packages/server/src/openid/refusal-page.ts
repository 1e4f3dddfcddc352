import type { Refusal } from './provider'

interface Told {
  readonly status: 400 | 403 | 503
  readonly sentence: string
}

const STALE = 'This sign-in was begun in another browser, or more than ten minutes ago. Begin again.'

/** Status and sentence of each reason for which a sign-in fails. */
export const REFUSALS: Readonly<Record<Refusal, Told>> = {
  stale: { status: 400, sentence: STALE },
  refused: { status: 403, sentence: 'The OpenID provider did not confirm the sign-in. Begin again.' },
  unverified: {
    status: 403,
    sentence: 'The OpenID provider has no verified e-mail address of you. Verify your address there, and begin again.',
  },
  domain: {
    status: 403,
    sentence: 'E-mail addresses of your domain may not sign in here. Ask the operator of this service.',
  },
  disabled: { status: 403, sentence: 'Your account is disabled. Ask the operator of this service.' },
  busy: { status: 503, sentence: 'Too many people sign in at the moment. Begin again in a few seconds.' },
  away: { status: 503, sentence: 'The OpenID provider does not answer. Begin again in a few seconds.' },
}

/** Content security policy of the page: its own style, and nothing else. */
export const REFUSAL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Style of the page, with the colours of the console. */
const STYLE = `
      :root { --ground: #fbfbfc; --card: #fff; --line: #dcdce3; --ink: #1b1b21; --soft: #55555f; --accent: #5448c8; }
      @media (prefers-color-scheme: dark) {
        :root { --ground: #101014; --card: #16161b; --line: #33333e; --ink: #ededf2; --soft: #b0b0bc; --accent: #a79dff; }
      }
      body {
        margin: 0; min-height: 100vh; display: grid; place-items: center;
        background: var(--ground); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif;
      }
      main {
        box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 2rem;
        background: var(--card); border: 1px solid var(--line); border-radius: 12px;
      }
      h1 { margin: 0 0 0.5rem; font-size: 1.375rem; }
      p { margin: 0 0 1rem; color: var(--soft); }
      p:last-child { margin: 0; }
      a { color: var(--accent); text-underline-offset: 0.2em; }
      a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
`

/** Returns the page that tells why a sign-in failed. It contains no text of the provider or of the request. */
export const refusalPage = (why: Refusal): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sign-in failed · Matchyard</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>Sign-in failed</h1>
      <p>${REFUSALS[why].sentence}</p>
      <p><a href="../../console/">Back to the console</a></p>
    </main>
  </body>
</html>
`
