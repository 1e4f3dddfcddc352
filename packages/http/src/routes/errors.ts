import { ServiceError } from '@matchyard/core'
import { parseAccept } from 'hono/utils/accept'
import { type Endpoint, endpoint } from '../endpoint'
import { errorAsHtml, errorIndexAsHtml } from '../error-pages/html'
import { errorAsText, errorIndexAsText } from '../error-pages/markdown'
import type { Exchange } from '../exchange/exchange'
import { errorIndex, errorPage } from '../wire/error-page'
import { ok } from './answers'

/** Content security policy of a page with text and an inline style sheet, which loads no other resources. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Written {
  /**
   * Error code of the page, which is the key in the cache. The path is not the key, because a path can be written in
   * many ways.
   */
  readonly of: string
  readonly html: () => string
  readonly text: () => string
}

/** Cache of rendered pages by media type and error code. Pages change only with the version of the service. */
type Kept = Map<string, string>

/**
 * Returns the error page in the media type that the caller prefers; undefined if the caller prefers JSON or states no
 * preference.
 */
function written(exchange: Exchange, headers: Record<string, string>, kept: Kept, { of, html, text }: Written) {
  // These headers are set before the page is looked up, so that JSON answers have them too.
  headers['cache-control'] = 'public, max-age=3600'
  headers.vary = 'accept'
  const makers: ReadonlyMap<string, () => string> = new Map([
    ['text/html', html],
    ['text/markdown', text],
    ['text/plain', text],
  ])
  for (const { type } of parseAccept(exchange.header('accept') ?? '')) {
    const make = makers.get(type)
    if (make !== undefined) return page(type, make)
    if (type === 'application/json' || type === '*/*' || type === 'application/*') return undefined
    if (type === 'text/*') return page('text/html', html)
  }
  return undefined

  function page(type: string, make: () => string): Response {
    const key = `${type} ${of}`
    const body = kept.get(key) ?? make()
    kept.set(key, body)
    return new Response(body, {
      headers: {
        ...headers,
        'content-type': `${type}; charset=utf-8`,
        ...(type === 'text/html' ? { 'content-security-policy': POLICY } : {}),
      },
    })
  }
}

const index = endpoint({
  operation: 'system.errors',
  method: 'get',
  path: '/errors',
  summary: 'Returns all error codes: a page for browsers, text for `text/plain` and `text/markdown`, JSON for others.',
  success: ok(errorIndex),
  async handle({ services: { errorPages: pages, writtenPages, referenceScript }, headers, exchange }) {
    const told = {
      of: '',
      html: () => errorIndexAsHtml(pages(), referenceScript !== undefined),
      text: () => errorIndexAsText(pages()),
    }
    return written(exchange, headers, writtenPages, told) ?? pages()
  },
})

const one = endpoint({
  operation: 'system.error',
  method: 'get',
  path: '/errors/{code}',
  summary:
    'Returns the meaning and solution of an error code; `type` of each error links here. A page for browsers, text for `text/plain` and `text/markdown`, JSON for others.',
  success: ok(errorPage),
  errors: ['NOT_FOUND'],
  async handle({ services: { errorPages: pages, writtenPages, referenceScript }, params, headers, exchange }) {
    const page = pages().find(params.code)
    if (page === undefined) throw unknown(params.code)
    const told = {
      of: page.code,
      html: () => errorAsHtml(page, pages(), referenceScript !== undefined),
      text: () => errorAsText(page),
    }
    return written(exchange, headers, writtenPages, told) ?? page
  },
})

const unknown = (code: string) =>
  new ServiceError('NOT_FOUND', `there is no error code ${JSON.stringify(code)}; GET /errors lists all`)

export const ERROR_ENDPOINTS: readonly Endpoint[] = [index, one]
