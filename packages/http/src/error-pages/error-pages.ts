import { ERROR_CATALOGUE, type ErrorCode, type ErrorRow } from '@matchyard/core'
import { statusOf } from '../error-status'
import { ERROR_EXAMPLES } from './examples'

/** A refusal as it was answered once. */
export interface ErrorExample {
  readonly method: string
  readonly path: string
  /** Headers of the request that matter; secrets are cut off. */
  readonly sent: Record<string, string>
  readonly body?: unknown
  readonly status: number
  /** Headers of the answer that tell the caller what to do. */
  readonly headers: Record<string, string>
  readonly answer: Record<string, unknown>
}

/** An operation that may be refused with a code. */
export interface AnsweredBy {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** An operation, and all that it may be refused with. */
export interface Refusable extends AnsweredBy {
  readonly codes: Iterable<ErrorCode>
}

/** All that is said of a code. */
export interface ErrorPage extends ErrorRow<ErrorCode> {
  readonly code: ErrorCode
  readonly status: number
  /** In the order of the document. */
  readonly operations: readonly AnsweredBy[]
  /** Whether every operation of the interface may be refused so. */
  readonly isEverywhere: boolean
  readonly example: ErrorExample | undefined
}

/** Pages of every code, in the order of the numbers. */
export interface ErrorPages {
  readonly all: readonly ErrorPage[]
  find(code: string): ErrorPage | undefined
}

/** The pages of the codes, as these operations answer them. */
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
  [1000, 'Who calls'],
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

/** Returns the codes by topic, which their numbers show. */
export const groupsOf = ({
  all,
}: ErrorPages): readonly { readonly title: string; readonly pages: readonly ErrorPage[] }[] =>
  GROUPS.map(([from, title], index) => {
    const end = GROUPS[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
    return { title, pages: all.filter(({ number }) => number >= from && number < end) }
  })
