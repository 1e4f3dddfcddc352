import { ICON_LINK } from '../page-icon'

/** Links of the start page. They are relative, so that they also work when the application is mounted under a path. */
const LINKS = [
  [
    'reference',
    'system.reference',
    'API reference',
    'Every call with its fields and its refusals, to read and to try.',
  ],
  ['openapi.json', 'system.openapi', 'OpenAPI document', 'The same for programs: generate a client from it.'],
  ['errors', 'system.errors', 'Errors', 'Every code that a call may be refused with, and what to do about it.'],
  ['readyz', 'system.ready', 'Readiness', 'Whether the service can do its work now. For load balancers.'],
  ['livez', 'system.live', 'Liveness', 'Whether the process answers. For supervisors.'],
  ['metrics', 'system.metrics', 'Metrics', 'Measurements for Prometheus. May ask for a token, or be closed.'],
] as const

/** Returns whether an operation answers the caller of the page. */
type IsOpen = (operation: string) => boolean

const openLinks = (isOpen: IsOpen) => LINKS.filter(([, operation]) => isOpen(operation))

const card = ([path, , name, what]: (typeof LINKS)[number]) => `      <li>
        <a href="./${path}">
          <strong>${name}</strong>
          <span>${what}</span>
          <code>/${path}</code>
        </a>
      </li>`

const PAGE = (version: string, isOpen: IsOpen) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Matchyard</title>
    ${ICON_LINK}
    <style>
      :root { --ground: #fbfbfc; --card: #fff; --line: #dcdce3; --ink: #1b1b21; --soft: #55555f; --accent: #5448c8; }
      @media (prefers-color-scheme: dark) {
        :root { --ground: #101014; --card: #16161b; --line: #33333e; --ink: #ededf2; --soft: #b0b0bc; --accent: #a79dff; }
      }
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif; }
      main { max-width: 44rem; margin: 0 auto; padding: 4.5rem 1.5rem; }
      h1 { margin: 0; font-size: 2.25rem; letter-spacing: -0.02em; line-height: 1.2; }
      p { margin: 0.5rem 0 0; color: var(--soft); font-size: 1.05rem; }
      ul { list-style: none; margin: 2.25rem 0; padding: 0; display: grid; gap: 0.75rem; }
      a { color: inherit; text-decoration: none; }
      li a {
        display: grid; grid-template-columns: 1fr auto; gap: 0.1rem 1rem; padding: 1rem 1.25rem;
        background: var(--card); border: 1px solid var(--line); border-radius: 10px;
      }
      li a:hover, li a:focus-visible { border-color: var(--accent); outline: none; }
      li span { grid-row: 2; color: var(--soft); font-size: 0.95rem; }
      li code { grid-row: 1 / span 2; grid-column: 2; align-self: center; }
      code { color: var(--accent); font: 0.875rem ui-monospace, monospace; }
      footer { color: var(--soft); font-size: 0.9rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Matchyard</h1>
      <p>Lobbies, matchmaking and game servers. The service is up and answers here.</p>
      <ul>
${openLinks(isOpen).map(card).join('\n')}
      </ul>
      <footer>Version ${version}. Programs that ask for <code>/</code> get this list as JSON.</footer>
    </main>
  </body>
</html>
`

/** Returns the answer of `GET /` for programs: the links that answer the caller, as JSON. */
export const startLinks = (version: string, hasSignInCodes: boolean, isOpen: IsOpen) => ({
  name: 'matchyard',
  version,
  sign_in_codes: hasSignInCodes && isOpen('auth.code'),
  links: Object.fromEntries(openLinks(isOpen).map(([path]) => [path.replace('.json', ''), `/${path}`])),
})

/** Returns the start page with the links that answer the caller, for browsers. */
export const startPage = (version: string, headers: Record<string, string>, isOpen: IsOpen): Response =>
  new Response(PAGE(version, isOpen), {
    headers: {
      ...headers,
      vary: 'accept',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    },
  })
