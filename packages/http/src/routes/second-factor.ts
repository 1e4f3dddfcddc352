import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { clientAddress, siteOf } from '../middleware/client-address'
import { activatedFactor, begunFactor, factorCode, factorState, newFactor } from '../wire/second-factor'
import { created, NO_CONTENT, ok } from './answers'

const PATH = '/v1/account/second-factor'

const get = endpoint({
  operation: 'secondFactor.get',
  method: 'get',
  path: PATH,
  summary: 'Returns the state of the second factor of the account.',
  success: ok(factorState),
})

const begin = endpoint({
  operation: 'secondFactor.begin',
  method: 'post',
  path: PATH,
  summary: 'Begins a second factor; the secret for the authenticator is shown only once.',
  body: newFactor,
  success: created(begunFactor),
  handle(call) {
    const { matchyard, services, exchange, options, body } = call
    const from = { address: siteOf(clientAddress(exchange, services.trustedProxies)) }
    const { accountId } = sessionOf(call)
    return matchyard.secondFactor.begin({ accountId, ...body }, { ...options, from })
  },
})

const activate = endpoint({
  operation: 'secondFactor.activate',
  method: 'put',
  path: PATH,
  summary: 'Activates the second factor that was begun; the recovery codes are shown only once.',
  body: factorCode,
  success: ok(activatedFactor),
})

const remove = endpoint({
  operation: 'secondFactor.remove',
  method: 'post',
  path: `${PATH}/remove`,
  summary: 'Removes the second factor, with a code of the authenticator or a recovery code.',
  body: factorCode,
  success: NO_CONTENT,
})

export const SECOND_FACTOR_ENDPOINTS: readonly Endpoint[] = [get, begin, activate, remove]
