import { codesIn, DocumentedAnswers } from '@matchyard/tooling/documented-answers'
import { openApiDocument } from '../../src/openapi/document'
import type { Operation } from '../../src/operations'
import { isStream } from '../../src/route-table'
import { ENDPOINTS } from '../../src/routes/index'
import type { Answer } from './client'

const document = new DocumentedAnswers(openApiDocument(ENDPOINTS, '0.0.0'))

/**
 * Throws unless an answer is as the OpenAPI document describes it: its status, its error code, its body. The test
 * client checks every answer with it.
 */
export function asTold(method: string, path: string, { status, body, headers }: Answer): void {
  const [pathname = ''] = path.split('?')
  const isHead = method === 'HEAD'
  const operation = document.operationOf(isHead ? 'GET' : method, pathname)
  if (operation === undefined || (isHead && isStream(operation.operationId as Operation))) return
  const response = operation.responses[status]
  const code: unknown = body?.code
  if (status >= 400 && typeof code === 'string' && !codesIn(response?.description).includes(code)) {
    throw new Error(`${method} ${pathname} answered ${status} ${code}, which its documentation does not name`)
  }
  if (response === undefined) {
    throw new Error(`${operation.operationId} answered ${status}, which its documentation lacks`)
  }
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  const schema = response.content?.[mediaType]?.schema
  if (!mediaType.endsWith('json') || isHead) return
  const faults = schema === undefined ? [`has no ${mediaType}`] : document.faultsOf(schema, body)
  if (faults.length === 0) return
  throw new Error(`${operation.operationId} ${status} is not as its schema says: ${faults.join('; ')}`)
}
