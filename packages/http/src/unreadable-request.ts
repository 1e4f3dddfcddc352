import { ServiceError, validationFailed } from '@matchyard/core'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import { newRequestId } from './middleware/request-id'
import { problemResponse } from './problem'

/**
 * For `getRequestListener(app.fetch, { errorHandler: unreadableRequest })` of `@hono/node-server`: a request whose line or Host
 * makes no address never reaches the application, and is still answered with a problem.
 */
export function unreadableRequest(error: unknown): Response {
  const requestId = newRequestId()
  const unreadable = error instanceof Error && error.name === 'RequestError'
  const refusal = unreadable
    ? validationFailed([{ path: '', message: 'the request line and the Host header make no address' }])
    : new ServiceError('INTERNAL', 'something went wrong on our side')
  return problemResponse(refusal, requestId, { 'cache-control': 'no-store' }, SILENT_LOGGER)
}
