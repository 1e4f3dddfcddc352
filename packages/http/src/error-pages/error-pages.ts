import { ERROR_CATALOGUE, type ErrorCode, type ErrorRow } from '@matchyard/core'
import { statusOf } from '../error-status'
import { ERROR_EXAMPLES } from './examples'

/** A recorded refusal, with the request that was refused. */
export interface ErrorExample {
  readonly method: string
  readonly path: string
  /** Headers of the request that matter for the refusal, with shortened secrets. */
  readonly sent: Record<string, string>
  readonly body?: unknown
  readonly status: number
  /** Headers of the answer that help the caller to react. */
  readonly headers: Record<string, string>
  readonly answer: Record<string, unknown>
}

/** An operation that may be refused with the error code. */
export interface AnsweredBy {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** An operation with the codes of all its refusals. */
export interface Refusable extends AnsweredBy {
  readonly codes: Iterable<ErrorCode>
}

/** Content of the page of one error code. */
export interface ErrorPage extends ErrorRow<ErrorCode> {
  readonly code: ErrorCode
  readonly status: number
  /** Operations that may be refused with the code, in the order of the routes. */
  readonly operations: readonly AnsweredBy[]
  /** Whether every operation of the interface may be refused with the code. */
  readonly isEverywhere: boolean
  readonly example: ErrorExample | undefined
}

/** Pages of all error codes, in the order of their numbers. */
export interface ErrorPages {
  readonly all: readonly ErrorPage[]
  find(code: string): ErrorPage | undefined
}

/** Returns the pages of all error codes, each with the operations that may be refused with it. */
export function errorPages(everything: readonly Refusable[]): ErrorPages {
  const operationsOf = new Map<ErrorCode, AnsweredBy[]>()
  for (const each of everything) {
    for (const code of each.codes) operationsOf.set(code, [...(operationsOf.get(code) ?? []), each])
  }
  const examples = JSON.parse(ERROR_EXAMPLES) as Readonly<Partial<Record<ErrorCode, ErrorExample>>>
  const all = (Object.entries(ERROR_CATALOGUE) as [ErrorCode, ErrorRow<ErrorCode>][])
    .map(([code, row]): ErrorPage => {
      const operations = operationsOf.get(code) ?? []
      const isEverywhere = operations.length === everything.length
      return { code, ...row, status: statusOf(row), operations, isEverywhere, example: examples[code] }
    })
    .sort((a, b) => a.number - b.number)
  const byCode = new Map<string, ErrorPage>(all.map((page) => [page.code, page]))
  return { all, find: (code) => byCode.get(code) }
}

const GROUPS: readonly (readonly [from: number, title: string])[] = [
  [1000, 'Authentication'],
  [2000, 'Game servers'],
  [3000, 'Builds'],
  [4000, 'Lobbies'],
  [5000, 'Queues and matches'],
  [6000, 'Plans'],
  [7000, 'Projects'],
  [8000, 'Requests'],
  [9000, 'Keys'],
  [9100, 'Webhooks'],
]

/** Returns the pages grouped by topic. The number of an error code contains its topic. */
export const groupsOf = ({
  all,
}: ErrorPages): readonly { readonly title: string; readonly pages: readonly ErrorPage[] }[] =>
  GROUPS.map(([from, title], index) => {
    const end = GROUPS[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
    return { title, pages: all.filter(({ number }) => number >= from && number < end) }
  })
