import type { Network } from '../data/network'
import type { Answer, Asked } from '../gallery/fixtures'
import { streamOf } from '../gallery/stream'
import { FIXTURES } from './registry'

export type Shown = 'data' | 'empty' | 'loading' | 'failed'

/** Returns a network that answers with the gallery's data, in one state. */
export function galleryNetwork(shown: Shown): Network {
  return {
    baseUrl: '',
    async fetch(input, init) {
      if (shown === 'loading') return new Promise(() => {})
      if (shown === 'failed')
        return problem(
          500,
          'INTERNAL',
          'Something went wrong inside the service. Its log has more under the request id.',
        )
      const url = new URL(input, 'http://gallery')
      if (url.pathname === '/v1/events') return streamOf([['hello', { cursor: '1' }]])
      const asked: Asked = {
        path: url.pathname,
        query: url.searchParams,
        body: bodyOf(init),
        isEmpty: shown === 'empty',
      }
      const answer = find(`${init.method ?? 'GET'} ${url.pathname}`)
      if (answer === undefined) return problem(404, 'NOT_FOUND', `The gallery has no answer for ${url.pathname}.`)
      const told = typeof answer === 'function' ? (answer as (asked: Asked) => unknown)(asked) : answer
      if (told instanceof Response) return told
      return json(Array.isArray(told) ? listed(shown === 'empty' ? [] : told) : told)
    },
  }
}

function find(wanted: string): Answer | undefined {
  const parts = wanted.split('/')
  for (const { answers } of FIXTURES) {
    for (const [pattern, answer] of Object.entries(answers)) {
      const pieces = pattern.split('/')
      if (pieces.length === parts.length && pieces.every((piece, index) => piece === '*' || piece === parts[index]))
        return answer
    }
  }
  return undefined
}

const listed = (data: readonly unknown[]) => ({
  total: data.length,
  limit: 100,
  offset: 0,
  has_more: false,
  next_cursor: null,
  data,
})

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body ?? {}), { status, headers: { 'content-type': 'application/json' } })

const problem = (status: number, code: string, detail: string) =>
  json(
    { type: `/errors/${code}`, title: code, status, code, number: 0, detail, request_id: 'req_gallery', details: {} },
    status,
  )

function bodyOf({ body }: RequestInit): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}
