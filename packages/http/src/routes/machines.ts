import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { drain as drainBody, machine, machines, mintedToken, newToken } from '../wire/machine'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'machines.list',
  method: 'get',
  path: '/v1/machines',
  summary: 'Lists the machines of the installation, for accounts of operators.',
  success: ok(machines),
  handle: async (call) => ({
    machines: await call.matchyard.machines.list({ accountId: sessionOf(call).accountId }),
  }),
})

const cordon = endpoint({
  operation: 'machines.cordon',
  method: 'post',
  path: '/v1/machines/{machine_id}/cordon',
  summary: 'Gives a machine no new servers; its servers continue.',
  success: ok(machine),
})

const uncordon = endpoint({
  operation: 'machines.uncordon',
  method: 'post',
  path: '/v1/machines/{machine_id}/uncordon',
  summary: 'Gives a machine servers again, and ends its drain.',
  success: ok(machine),
})

const drain = endpoint({
  operation: 'machines.drain',
  method: 'post',
  path: '/v1/machines/{machine_id}/drain',
  summary: 'Empties a machine: its matches end by themselves, or at a deadline.',
  body: drainBody,
  bodyOptional: true,
  success: ok(machine),
})

const mintToken = endpoint({
  operation: 'machines.mintToken',
  method: 'post',
  path: '/v1/machines/{machine_id}/token',
  summary: 'Creates the token of an agent, and its machine if there is none; the token is shown only once.',
  body: newToken,
  bodyOptional: true,
  success: created(mintedToken),
  handle: (call) => {
    const { accountId } = sessionOf(call)
    // The id of a new machine is the name that the operator gives to it.
    return call.matchyard.machines.mintToken({ accountId, name: call.params.machine_id, ...call.body }, call.options)
  },
})

const revokeToken = endpoint({
  operation: 'machines.revokeToken',
  method: 'delete',
  path: '/v1/machines/{machine_id}/token',
  summary: 'Revokes the token of an agent: its calls fail at once.',
  success: NO_CONTENT,
})

export const MACHINE_ENDPOINTS: readonly Endpoint[] = [list, cordon, uncordon, drain, mintToken, revokeToken]
