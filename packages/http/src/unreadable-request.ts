import { ServiceError, validationFailed } from '@matchyard/core'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import { newRequestId } from './middleware/request-id'
import { problemResponse } from './problem'

/**
 * Returns the answer to a request whose request line and Host header do not make a valid address. Such a request never
 * reaches the application. For `getRequestListener(app.fetch, { errorHandler: unreadableRequest })` of
 * `@hono/node-server`.
 */
export function unreadableRequest(error: unknown): Response {
  const requestId = newRequestId()
  const unreadable = error instanceof Error && error.name === 'RequestError'
  const refusal = unreadable
    ? validationFailed([{ path: '', message: 'the request line and the Host header do not form a valid address' }])
    : new ServiceError('INTERNAL', 'an unexpected error happened')
  return problemResponse(refusal, requestId, { 'cache-control': 'no-store' }, SILENT_LOGGER)
}
