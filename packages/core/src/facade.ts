import type { Calls } from './api/matchyard'
import type { Context } from './context/context'
import type { Directors } from './director/directors'
import { explainMatchmaking } from './director/explain'
import * as known from './facade/known-inputs'
import { type KnownFields, strictly } from './facade/strictly'
import { listProblems } from './problems/list-problems'
import { receiveUpload } from './runtime/receive-upload'
import { serverLogs } from './runtime/server-logs'
import { type LobbyFeeds, pollLobby, type ServerFeeds, watchLobby } from './streams/index'
import * as access from './use-cases/access/index'
import * as accounts from './use-cases/accounts/index'
import * as billing from './use-cases/billing/index'
import * as builds from './use-cases/builds/index'
import * as keys from './use-cases/keys/index'
import * as lobbies from './use-cases/lobbies/index'
import { assignServer } from './use-cases/matches/assign-server'
import * as backfill from './use-cases/matches/backfill'
import { getMatch } from './use-cases/matches/get-match'
import { issueJoinToken } from './use-cases/matches/issue-join-token'
import { listMatches } from './use-cases/matches/list-matches'
import * as selfBackfill from './use-cases/matches/self-backfill'
import * as selfRoster from './use-cases/matches/self-roster'
import { erasePlayer } from './use-cases/players/erase-player'
import { findPlayer } from './use-cases/players/find-player'
import { ensureProject } from './use-cases/projects/ensure-project'
import * as projects from './use-cases/projects/index'
import * as queues from './use-cases/queues/index'
import * as servers from './use-cases/servers/index'
import * as webhooks from './use-cases/webhooks/index'

type Rested<F> = F extends (ctx: Context, ...rest: infer A) => unknown ? A : never
type Rest<F> = F extends (ctx: Context, ...rest: infer A) => infer R ? (...rest: A) => R : never

/** The public calls (`api/`), each the use case of the same name without its context. */
export function bindUseCases(ctx: Context, feeds: LobbyFeeds, serverFeeds: ServerFeeds, directors: Directors): Calls {
  const bind = <F extends (ctx: Context, ...rest: never[]) => unknown>(
    useCase: F,
    ...[fields]: KnownFields<NonNullable<Parameters<F>[1]>>
  ) => strictly((...rest: never[]) => useCase(ctx, ...rest), fields) as Rest<F>
  const quickJoins = new lobbies.QuickJoins(ctx)
  const answers = new lobbies.ProposalAnswers(ctx)
  return {
    accounts: {
      register: bind(accounts.register),
      login: bind(accounts.login),
      signIn: bind(accounts.signIn),
      refresh: bind(accounts.refreshSession),
      logout: bind(accounts.logout),
      get: bind(accounts.getAccount),
      create: bind(accounts.createAccount, known.ACCOUNTS.create),
      list: bind(accounts.listAccounts, known.ACCOUNTS.list),
      setPassword: bind(accounts.setPassword),
      disable: bind(accounts.disableAccount),
      enable: bind(accounts.enableAccount),
      drawSignInCode: bind(accounts.drawSignInCode),
      useSignInCode: bind(accounts.useSignInCode, known.ACCOUNTS.useSignInCode),
    },
    access: {
      authenticate: bind(access.authenticate, known.CREDENTIALS),
      authenticateKey: bind(access.authenticateKey),
      authenticateSession: bind(access.authenticateSession),
      authenticateServerToken: bind(access.authenticateServerToken),
      authorize: access.authorize,
      identifyPlayer: bind(access.identifyPlayer, known.IDENTIFY_PLAYER),
      provePlayer: bind(access.provePlayer),
      resolveProject: strictly(
        (...call: Rested<typeof access.resolveProject>) => access.resolveProject(ctx, ...call),
        undefined,
      ),
      ownerOf: access.ownerOf,
    },
    projects: {
      create: bind(projects.createProject),
      ensure: bind(ensureProject, known.PROJECTS.ensure),
      get: bind(projects.getProject),
      list: bind(projects.listProjects, known.PROJECTS.list),
      delete: bind(projects.deleteProject),
      setPlayerAuth: bind(projects.setPlayerAuth, known.PROJECTS.setPlayerAuth),
      getPlayerAuth: bind(projects.getPlayerAuth),
    },
    keys: {
      mint: bind(keys.mintKey, known.KEYS.mint),
      list: bind(keys.listKeys, known.KEYS.list),
      revoke: bind(keys.revokeKey),
    },
    billing: {
      plan: bind(billing.getPlan),
      upgrade: bind(billing.upgrade, known.BILLING.upgrade),
      downgrade: bind(billing.downgrade),
      usage: bind(billing.getUsage, known.BILLING.usage),
      replacePaymentMethod: bind(billing.replacePaymentMethod),
      setPlan: bind(billing.setPlan),
    },
    builds: {
      createUpload: bind(builds.createUpload, known.BUILDS.createUpload),
      receiveUpload: bind(receiveUpload),
      registerImage: bind(builds.registerImage),
      list: bind(builds.listBuilds, known.BUILDS.list),
      get: bind(builds.getBuild),
      update: bind(builds.updateBuild),
      delete: bind(builds.deleteBuild),
      logs: bind(builds.buildLogs),
    },
    servers: {
      create: bind(servers.createServer, known.SERVERS.create),
      list: bind(servers.listServers, known.SERVERS.list),
      get: bind(servers.getServer),
      stop: bind(servers.stopServer),
      restart: bind(servers.restartServer),
      logs: bind(serverLogs, known.SERVERS.logs),
      selfReady: bind(servers.selfReady),
      selfHeartbeat: bind(servers.selfHeartbeat),
      selfShutdown: bind(servers.selfShutdown),
      selfGet: bind(servers.selfGet),
      selfWatch: (input: Parameters<ServerFeeds['open']>[0]) => serverFeeds.open(input),
      selfBackfill: bind(selfBackfill.selfBackfill, known.MATCHES.selfBackfill),
      selfGetBackfill: bind(selfBackfill.selfGetBackfill),
      selfCancelBackfill: bind(selfBackfill.selfCancelBackfill),
      selfPlayerLeft: bind(selfRoster.selfPlayerLeft),
      selfClose: bind(selfRoster.selfClose),
    },
    queues: {
      // Its settings are judged where their values are, nested as they are (`queue/known-settings.ts`).
      create: strictly((...call: Rested<typeof queues.createQueue>) => queues.createQueue(ctx, ...call), undefined),
      get: bind(queues.getQueue),
      list: bind(queues.listQueues, known.QUEUES.list),
      update: bind(queues.updateQueue, known.QUEUES.update),
      delete: bind(queues.deleteQueue),
      stats: bind(queues.queueStats),
      arrivals: bind(queues.listArrivals, known.QUEUES.arrivals),
      history: bind(queues.queueHistory, known.QUEUES.history),
      restore: bind(queues.restoreQueue, known.QUEUES.restore),
    },
    lobbies: {
      create: bind(lobbies.createLobby, known.LOBBIES.create),
      get: bind(lobbies.getLobby, known.ON_LOBBY),
      browse: bind(lobbies.browseLobbies, known.LOBBIES.browse),
      updateSettings: bind(lobbies.updateSettings),
      ofPlayer: bind(lobbies.lobbiesOfPlayer, known.LOBBIES.ofPlayer),
      ofProject: bind(lobbies.lobbiesOfProject, known.LOBBIES.ofProject),
      join: bind(lobbies.joinLobby, known.LOBBIES.join),
      quickJoin: strictly(
        (...call: Parameters<lobbies.QuickJoins['join']>) => quickJoins.join(...call),
        known.LOBBIES.quickJoin,
      ),
      joinByCode: bind(lobbies.joinByCode, known.LOBBIES.joinByCode),
      leave: bind(lobbies.leaveLobby),
      removePlayer: bind(lobbies.removePlayer),
      banPlayer: bind(lobbies.banPlayer, known.LOBBIES.ban),
      unbanPlayer: bind(lobbies.unbanPlayer, known.LOBBIES.ban),
      renewInviteCode: bind(lobbies.renewInviteCode, known.ON_LOBBY),
      updatePlayer: bind(lobbies.updatePlayer, known.LOBBIES.updatePlayer),
      heartbeat: bind(lobbies.heartbeat),
      enqueue: bind(lobbies.enqueueLobby),
      accept: strictly(
        (...call: Parameters<lobbies.ProposalAnswers['accept']>) => answers.accept(...call),
        known.LOBBIES.answer,
      ),
      decline: bind(lobbies.declineProposal, known.LOBBIES.answer),
      cancelMatchmaking: bind(lobbies.cancelMatchmaking),
      start: bind(lobbies.startLobby),
      end: bind(lobbies.endMatch, known.LOBBIES.end),
      delete: bind(lobbies.deleteLobby, known.ON_LOBBY),
      explainMatchmaking: bind(explainMatchmaking, known.ON_LOBBY),
      poll: strictly((input: Parameters<typeof pollLobby>[2]) => pollLobby(ctx, feeds, input), known.LOBBIES.poll),
      watch: strictly((input: Parameters<typeof watchLobby>[2]) => watchLobby(ctx, feeds, input), known.LOBBIES.watch),
    },
    players: { erase: bind(erasePlayer), find: bind(findPlayer) },
    problems: { list: bind(listProblems) },
    webhooks: {
      create: bind(webhooks.createWebhook, known.WEBHOOKS.create),
      get: bind(webhooks.getWebhook),
      list: bind(webhooks.listWebhooks, known.WEBHOOKS.list),
      update: bind(webhooks.updateWebhook),
      delete: bind(webhooks.deleteWebhook),
      rotateSecret: bind(webhooks.rotateSecret),
      deliveries: bind(webhooks.listDeliveries, known.WEBHOOKS.deliveries),
      redeliver: bind(webhooks.redeliver),
      test: bind(webhooks.testWebhook),
    },
    matches: {
      assign: bind(assignServer, known.MATCHES.assign),
      get: bind(getMatch, known.MATCHES.get),
      list: bind(listMatches, known.MATCHES.list),
      joinToken: bind(issueJoinToken),
      backfill: bind(backfill.requestBackfill, known.MATCHES.backfill),
      getBackfill: bind(backfill.getBackfill),
      cancelBackfill: bind(backfill.cancelBackfill),
    },
    matchmaking: {
      runQueue: (queueKey: string) => directors.run(queueKey),
    },
  }
}
