import type { Calls } from './api/matchyard'
import type { Context } from './context/context'
import type { Directors } from './director/directors'
import { explainMatchmaking } from './director/explain'
import { receiveUpload } from './runtime/receive-upload'
import { serverLogs } from './runtime/server-logs'
import * as access from './use-cases/access/index'
import * as accounts from './use-cases/accounts/index'
import * as billing from './use-cases/billing/index'
import * as builds from './use-cases/builds/index'
import * as keys from './use-cases/keys/index'
import * as lobbies from './use-cases/lobbies/index'
import { assignServer } from './use-cases/matches/assign-server'
import * as backfill from './use-cases/matches/backfill'
import { getMatch } from './use-cases/matches/get-match'
import * as selfBackfill from './use-cases/matches/self-backfill'
import * as selfRoster from './use-cases/matches/self-roster'
import { erasePlayer } from './use-cases/players/erase-player'
import { ensureProject } from './use-cases/projects/ensure-project'
import * as projects from './use-cases/projects/index'
import * as queues from './use-cases/queues/index'
import * as servers from './use-cases/servers/index'
import { type LobbyFeeds, pollLobby, type ServerFeeds, watchLobby } from './use-cases/streams/index'

type Rest<F> = F extends (ctx: Context, ...rest: infer A) => infer R ? (...rest: A) => R : never

/** The public calls (`api/`), each the use case of the same name without its context. */
export function bindUseCases(ctx: Context, feeds: LobbyFeeds, serverFeeds: ServerFeeds, directors: Directors): Calls {
  const bind = <F extends (ctx: Context, ...rest: never[]) => unknown>(useCase: F) =>
    ((...rest: never[]) => useCase(ctx, ...rest)) as Rest<F>
  const quickJoins = new lobbies.QuickJoins(ctx)
  const answers = new lobbies.ProposalAnswers(ctx)
  return {
    accounts: {
      register: bind(accounts.register),
      login: bind(accounts.login),
      refresh: bind(accounts.refreshSession),
      logout: bind(accounts.logout),
      get: bind(accounts.getAccount),
      create: bind(accounts.createAccount),
      list: bind(accounts.listAccounts),
      setPassword: bind(accounts.setPassword),
      disable: bind(accounts.disableAccount),
      enable: bind(accounts.enableAccount),
    },
    access: {
      authenticate: bind(access.authenticate),
      authenticateKey: bind(access.authenticateKey),
      authenticateSession: bind(access.authenticateSession),
      authenticateServerToken: bind(access.authenticateServerToken),
      authorize: access.authorize,
      resolveProject: bind(access.resolveProject),
      ownerOf: access.ownerOf,
    },
    projects: {
      create: bind(projects.createProject),
      ensure: bind(ensureProject),
      get: bind(projects.getProject),
      list: bind(projects.listProjects),
      delete: bind(projects.deleteProject),
    },
    keys: { mint: bind(keys.mintKey), list: bind(keys.listKeys), revoke: bind(keys.revokeKey) },
    billing: {
      plan: bind(billing.getPlan),
      upgrade: bind(billing.upgrade),
      downgrade: bind(billing.downgrade),
      usage: bind(billing.getUsage),
      replacePaymentMethod: bind(billing.replacePaymentMethod),
      setPlan: bind(billing.setPlan),
    },
    builds: {
      createUpload: bind(builds.createUpload),
      receiveUpload: bind(receiveUpload),
      registerImage: bind(builds.registerImage),
      list: bind(builds.listBuilds),
      get: bind(builds.getBuild),
      delete: bind(builds.deleteBuild),
      logs: bind(builds.buildLogs),
    },
    servers: {
      create: bind(servers.createServer),
      list: bind(servers.listServers),
      get: bind(servers.getServer),
      stop: bind(servers.stopServer),
      restart: bind(servers.restartServer),
      logs: bind(serverLogs),
      selfReady: bind(servers.selfReady),
      selfHeartbeat: bind(servers.selfHeartbeat),
      selfShutdown: bind(servers.selfShutdown),
      selfGet: bind(servers.selfGet),
      selfWatch: (input: Parameters<ServerFeeds['open']>[0]) => serverFeeds.open(input),
      selfBackfill: bind(selfBackfill.selfBackfill),
      selfGetBackfill: bind(selfBackfill.selfGetBackfill),
      selfCancelBackfill: bind(selfBackfill.selfCancelBackfill),
      selfPlayerLeft: bind(selfRoster.selfPlayerLeft),
      selfClose: bind(selfRoster.selfClose),
    },
    queues: {
      create: bind(queues.createQueue),
      get: bind(queues.getQueue),
      list: bind(queues.listQueues),
      update: bind(queues.updateQueue),
      delete: bind(queues.deleteQueue),
      stats: bind(queues.queueStats),
    },
    lobbies: {
      create: bind(lobbies.createLobby),
      get: bind(lobbies.getLobby),
      browse: bind(lobbies.browseLobbies),
      updateSettings: bind(lobbies.updateSettings),
      ofPlayer: bind(lobbies.lobbiesOfPlayer),
      join: bind(lobbies.joinLobby),
      quickJoin: (...call: Parameters<lobbies.QuickJoins['join']>) => quickJoins.join(...call),
      joinByCode: bind(lobbies.joinByCode),
      leave: bind(lobbies.leaveLobby),
      removePlayer: bind(lobbies.removePlayer),
      updatePlayer: bind(lobbies.updatePlayer),
      heartbeat: bind(lobbies.heartbeat),
      enqueue: bind(lobbies.enqueueLobby),
      accept: (...call: Parameters<lobbies.ProposalAnswers['accept']>) => answers.accept(...call),
      decline: bind(lobbies.declineProposal),
      cancelMatchmaking: bind(lobbies.cancelMatchmaking),
      start: bind(lobbies.startLobby),
      end: bind(lobbies.endMatch),
      delete: bind(lobbies.deleteLobby),
      explainMatchmaking: bind(explainMatchmaking),
      poll: (input: Parameters<typeof pollLobby>[2]) => pollLobby(ctx, feeds, input),
      watch: (input: Parameters<typeof watchLobby>[2]) => watchLobby(ctx, feeds, input),
    },
    players: { erase: bind(erasePlayer) },
    matches: {
      assign: bind(assignServer),
      get: bind(getMatch),
      backfill: bind(backfill.requestBackfill),
      getBackfill: bind(backfill.getBackfill),
      cancelBackfill: bind(backfill.cancelBackfill),
    },
    matchmaking: {
      runQueue: (queueKey: string) => directors.run(queueKey),
    },
  }
}
