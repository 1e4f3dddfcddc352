import type { Service } from '../node/service'
import * as useCases from '../use-cases/access/index'
import type { Access } from './access-calls'
import { authorize } from './authorize'
import { guarded } from './guarded'
import { OPERATIONS } from './index'

/** Returns the access calls, bound to a service. */
export const bindAccess = (ctx: Service): Access => ({
  authenticate: guarded((input) => useCases.authenticate(ctx, input), ['apiKey', 'bearer']),
  authenticateKey: (value) => useCases.authenticateKey(ctx, value),
  authenticateMachine: (token) => useCases.authenticateMachine(ctx, token),
  authenticateSession: (token) => useCases.authenticateSession(ctx, token),
  authenticateServerToken: (token) => useCases.authenticateServerToken(ctx, token),
  authorize,
  identifyPlayer: guarded(
    (input) => useCases.identifyPlayer(ctx, input),
    ['caller', 'rule', 'playerId', 'token', 'isRead'],
  ),
  provePlayer: (input) => useCases.provePlayer(ctx, input),
  resolveProject: async (operation, caller, named) =>
    useCases.resolveProject(ctx, caller, named, OPERATIONS[operation].role),
  accountOn: (operation, caller, projectId) => useCases.accountOn(caller, projectId, OPERATIONS[operation].role),
  ownerOf: (operation, caller) => useCases.ownerOf(caller, OPERATIONS[operation].role),
})
