import { HTTP_ERRORS, type HttpErrorRow } from '@matchyard/http'
import { expect } from 'vitest'
import { codesIn } from '../documented-answers'
import { CONTRACT_ERRORS } from './contract-errors'
import { document, problemSchema } from './document'

export interface Judged {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

const PLAYER_FACING = /^\/v1\/(lobbies|matches)(\/|$)/
const OPEN = /^\/(livez|readyz|metrics|openapi\.json|reference)$/

/**
 * Checks the rules that hold for every answer: its status is documented for the operation, its body has the documented
 * form, and the required headers are present. The code of an error must be in the contract's catalogue, or in the
 * service's catalogue when the code was added later.
 */
export function judge(answer: Judged): void {
  const { method, pathname, status, headers, text } = answer
  const what = `${method} ${pathname} → ${status} ${text.slice(0, 400)}`
  expect(headers.get('x-request-id'), `${what}: x-request-id`).toMatch(/^.+$/)
  if (!PLAYER_FACING.test(pathname) && !OPEN.test(pathname) && document.operationOf(method, pathname) !== undefined) {
    expect(headers.get('cache-control'), `${what}: cache-control`).toBe('no-store')
  }
  if (status >= 400) judgeProblem(answer, what)
  else judgeSuccess(answer, what)
}

function judgeSuccess({ method, pathname, status, headers, text, body }: Judged, what: string): void {
  if (method === 'HEAD' || method === 'OPTIONS') return
  const documented = document.operationOf(method, pathname)?.responses[status]
  expect(documented, `${what}: no such answer is documented`).toBeDefined()
  const [mediaType, content] = Object.entries(documented?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) {
    expect(text, `${what}: a body`).toBe('')
    return
  }
  expect(headers.get('content-type'), `${what}: content-type`).toContain(mediaType)
  if (mediaType === 'application/json') expect(document.faultsOf(content.schema, body), what).toEqual([])
}

/**
 * Returns the number and the statuses of an error code from the contract; for a code that was added later, from the
 * service's catalogue.
 */
function rowOf(code: string): readonly number[] {
  const added = (HTTP_ERRORS as Readonly<Record<string, HttpErrorRow>>)[code]
  return CONTRACT_ERRORS[code] ?? (added === undefined ? [] : [added.number, added.status])
}

function judgeProblem({ method, pathname, status, headers, body }: Judged, what: string): void {
  expect(headers.get('content-type'), what).toBe('application/problem+json')
  // An answer to HEAD has no body.
  if (method === 'HEAD') return
  expect(document.faultsOf(problemSchema(), body), what).toEqual([])
  const problem = body as { code: string; number: number; type: string; status: number; request_id: string }
  const [number, ...statuses] = rowOf(problem.code)
  expect(problem.number, `${what}: number`).toBe(number)
  expect(statuses, `${what}: status`).toContain(status)
  expect([problem.status, problem.type], what).toEqual([status, `/errors/${problem.code}`])
  expect(problem.request_id, what).toBe(headers.get('x-request-id'))
  const operation = document.operationOf(method, pathname)
  if (operation === undefined) {
    expect(['NOT_FOUND', 'METHOD_NOT_ALLOWED'], what).toContain(problem.code)
    return
  }
  const documented = operation.responses[status]
  expect(documented, `${what}: no such refusal is documented`).toBeDefined()
  // The error PLAYER_NOT_IN_LOBBY has two HTTP statuses, and the OpenAPI document lists the code under its usual status
  // only.
  const codes = Object.values(operation.responses).flatMap(({ description }) => codesIn(description))
  expect(codes, `${what}: the code is not documented`).toContain(problem.code)
}
