import { ICON_LINK } from '../page-icon'
import { type AnsweredBy, type ErrorExample, type ErrorPage, type ErrorPages, groupsOf } from './error-pages'
import { answerText, requestText } from './markdown'
import { RETRY_WORDS } from './retry-words'
import { ERROR_STYLE } from './style'

/** Maximum number of operations that the page shows without folding the list. */
const SHOWN = 14

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns the HTML of a text; text between backticks becomes code. */
const inline = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

interface Frame {
  readonly title: string
  /** Relative URL from the page to the root of the service. */
  readonly root: './' | '../'
  /** Whether the service has a reference page to link to. */
  readonly hasReference: boolean
  readonly trail: string
  readonly body: string
}

const framed = ({ title, root, hasReference, trail, body }: Frame) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${ICON_LINK}
    <style>${ERROR_STYLE}</style>
  </head>
  <body>
    <main>
      <nav aria-label="Breadcrumb">
        <ol><li><a href="${root}">Matchyard</a></li>${hasReference ? `<li><a href="${root}reference">API reference</a></li>` : ''}${trail}</ol>
      </nav>
${body}
    </main>
  </body>
</html>
`

/**
 * Returns the CSS class of an HTTP status. The class shows the party that can correct the error: the caller, nobody
 * (the state must change), or the operator.
 */
const kindOf = (status: number) => (status >= 500 ? 'ours' : status === 409 || status === 429 ? 'state' : 'caller')

const section = (title: string, body: string, kind = '') =>
  `      <section${kind === '' ? '' : ` class="${kind}"`}>
        <h2>${title}</h2>
${body}
      </section>`

const paragraph = (text: string) => `        <p>${inline(text)}</p>`

const card = (page: ErrorPage, folder: string) =>
  `          <li><a href="./${folder}${page.code}"><strong>${page.code}</strong><em class="${kindOf(page.status)}">${page.status}</em><span>${escaped(page.title)}</span></a></li>`

/** Returns the HTML page of one error code. */
export function errorAsHtml(page: ErrorPage, pages: ErrorPages, hasReference: boolean): string {
  const { code, number, status, title, happened, mend, details, retry, near } = page
  const at = pages.all.indexOf(page)
  const neighbours = near.flatMap((other) => pages.find(other) ?? [])
  const body = [
    `      <header>
        <ul class="facts"><li class="${kindOf(status)}">HTTP ${status}</li><li>number ${number}</li><li>again: ${inline(RETRY_WORDS[retry].short)}</li></ul>
        <h1 class="code">${code}</h1>
        <p>${escaped(title)}</p>
      </header>`,
    section('What happened', paragraph(happened)),
    section('What to do', paragraph(mend), 'mend'),
    section('Can the request be repeated?', paragraph(RETRY_WORDS[retry].long)),
    ...(details === undefined ? [] : [section('In <code>details</code>', paragraph(details))]),
    ...(page.example === undefined ? [] : [section('Example', exampleOf(page.example))]),
    section('Operations with this error', whereOf(page, hasReference)),
    section(
      'Related errors',
      `        <ul class="near">\n${neighbours.map((other) => card(other, '')).join('\n')}\n        </ul>`,
    ),
    `      <footer>${step('Before', pages.all[at - 1])}${step('Next', pages.all[at + 1])}</footer>`,
  ]
  const trail = `<li><a href="../errors">Errors</a></li><li aria-current="page">${code}</li>`
  return framed({ title: `${code} · Matchyard`, root: '../', hasReference, trail, body: body.join('\n') })
}

const step = (words: string, page: ErrorPage | undefined) =>
  page === undefined ? '' : `<span>${words}: <a href="./${page.code}">${page.code}</a></span>`

const exampleOf = (example: ErrorExample) => `        <figure>
          <figcaption>Request</figcaption>
          <pre><code>${escaped(requestText(example))}</code></pre>
        </figure>
        <figure>
          <figcaption>Answer</figcaption>
          <pre><code>${escaped(answerText(example))}</code></pre>
        </figure>`

function whereOf({ also, isEverywhere, operations }: ErrorPage, hasReference: boolean): string {
  const said = also === undefined ? [] : [paragraph(also)]
  if (isEverywhere || operations.length === 0) return said.join('\n')
  const list = callsOf(operations, hasReference)
  const folded =
    operations.length <= SHOWN
      ? list
      : `        <details><summary>${operations.length} operations</summary>\n${list}\n        </details>`
  return [...said, folded].join('\n')
}

/** Returns the HTML list of operations, grouped by tag as in the reference. */
function callsOf(operations: readonly AnsweredBy[], hasReference: boolean): string {
  const byTag = new Map<string, AnsweredBy[]>()
  for (const call of operations) byTag.set(tagOf(call), [...(byTag.get(tagOf(call)) ?? []), call])
  const groups = [...byTag].map(
    ([tag, calls]) => `          <dt>${tag}</dt>
          <dd><ul class="calls">${calls.map((call) => callOf(tag, call, hasReference)).join('')}</ul></dd>`,
  )
  return `        <dl>\n${groups.join('\n')}\n        </dl>`
}

const tagOf = ({ operation }: AnsweredBy) => operation.slice(0, operation.indexOf('.'))

const callOf = (tag: string, { method, path, summary }: AnsweredBy, hasReference: boolean) => {
  const verb = method.toUpperCase()
  const shown = `<code>${escaped(path)}</code>`
  const link = `../reference#tag/${tag}/${verb}${escaped(path)}`
  return `<li><b>${verb}</b>${hasReference ? `<a href="${link}" title="${escaped(summary)}">${shown}</a>` : shown}</li>`
}

/** Returns the HTML page with all error codes. */
export function errorIndexAsHtml(pages: ErrorPages, hasReference: boolean): string {
  const groups = groupsOf(pages).map(({ title, pages: group }) =>
    section(
      title,
      `        <ul class="index">\n${group.map((page) => card(page, 'errors/')).join('\n')}\n        </ul>`,
    ),
  )
  const body = `      <header>
        <h1>Errors</h1>
        <p>Each error of the API has a code, and its <code>type</code> is the address of a page here. Let programs decide by <code>code</code> or <code>number</code>, which never change. Show <code>detail</code> to a developer.</p>
      </header>
${groups.join('\n')}`
  return framed({
    title: 'Errors · Matchyard',
    root: './',
    hasReference,
    trail: '<li aria-current="page">Errors</li>',
    body,
  })
}
