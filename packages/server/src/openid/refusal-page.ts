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

/** Returns the page that tells why a sign-in failed. It contains no text of the provider or of the request. */
export const refusalPage = (why: Refusal): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sign-in failed · Matchyard</title>
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
