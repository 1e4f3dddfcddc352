import type { CredentialKind } from './caller'

export interface Permission {
  /** Who may call; an empty list is open to everybody. */
  readonly credentials: readonly CredentialKind[]
  /**
   * The x-player-id header: demanded, demanded unless a server key calls (a backend acts for nobody), read when sent, or of no
   * meaning.
   */
  readonly player: 'required' | 'unless-backend' | 'optional' | 'none'
}

const open: readonly CredentialKind[] = []
const session: readonly CredentialKind[] = ['session']
const players: readonly CredentialKind[] = ['client', 'server']
const backend: readonly CredentialKind[] = ['server']
const project: readonly CredentialKind[] = ['server', 'session']
const gameServer: readonly CredentialKind[] = ['game-server']

const row = (credentials: readonly CredentialKind[], player: Permission['player'] = 'none'): Permission => ({
  credentials,
  player,
})

/** Operation to who may call it: the one table, default deny. A route names its operation; one without a row fails at start. */
export const PERMISSIONS = {
  'auth.register': row(open),
  'auth.login': row(open),
  'auth.code': row(open),
  'auth.refresh': row(session),
  'auth.logout': row(session),
  'account.get': row(session),

  'projects.list': row(session),
  'projects.create': row(session),
  'projects.get': row(session),
  'projects.delete': row(session),
  'projects.events': row(backend),
  'projects.setPlayerAuth': row(session),
  'projects.getPlayerAuth': row(session),
  'keys.list': row(session),
  'keys.mint': row(session),
  'keys.revoke': row(session),

  'billing.plan': row(session),
  'billing.upgrade': row(session),
  'billing.downgrade': row(session),
  'billing.usage': row(session),
  'billing.replacePaymentMethod': row(session),

  'builds.createUpload': row(project),
  'builds.upload': row(open),
  'builds.registerImage': row(project),
  'builds.list': row(project),
  'builds.get': row(project),
  'builds.update': row(project),
  'builds.delete': row(project),
  'builds.logs': row(project),

  'servers.list': row(project),
  'servers.create': row(project),
  'servers.get': row(project),
  'servers.stop': row(project),
  'servers.restart': row(project),
  'servers.logs': row(project),
  'servers.selfReady': row(gameServer),
  'servers.selfHeartbeat': row(gameServer),
  'servers.selfShutdown': row(gameServer),
  'servers.selfGet': row(gameServer),
  'servers.selfEvents': row(gameServer),
  'servers.selfBackfill': row(gameServer),
  'servers.selfGetBackfill': row(gameServer),
  'servers.selfCancelBackfill': row(gameServer),
  'servers.selfPlayerLeft': row(gameServer),
  'servers.selfClose': row(gameServer),

  'queues.create': row(backend),
  'queues.list': row(backend),
  'queues.get': row(backend),
  'queues.update': row(backend),
  'queues.delete': row(backend),
  'queues.stats': row(backend),
  'queues.arrivals': row(backend),
  'queues.history': row(backend),
  'queues.restore': row(backend),

  'lobbies.create': row(players, 'required'),
  'lobbies.get': row(players, 'optional'),
  'lobbies.browse': row(players, 'optional'),
  'lobbies.ofPlayer': row(players, 'required'),
  'lobbies.quickJoin': row(players, 'required'),
  'lobbies.updateSettings': row(players, 'required'),
  'lobbies.join': row(players, 'required'),
  'lobbies.joinByCode': row(players, 'required'),
  'lobbies.leave': row(players, 'required'),
  'lobbies.removePlayer': row(players, 'required'),
  /** The host's, or the backend's, which need not name a player. */
  'lobbies.banPlayer': row(players, 'unless-backend'),
  'lobbies.unbanPlayer': row(players, 'unless-backend'),
  'lobbies.renewInviteCode': row(players, 'unless-backend'),
  'lobbies.updatePlayer': row(players, 'required'),
  'lobbies.heartbeat': row(players, 'required'),
  'lobbies.enqueue': row(players, 'required'),
  'lobbies.cancelMatchmaking': row(players, 'required'),
  'lobbies.accept': row(players, 'required'),
  'lobbies.decline': row(players, 'required'),
  'lobbies.explainMatchmaking': row(players, 'optional'),
  'lobbies.start': row(players, 'required'),
  /** The backend may end and delete without naming a player. */
  'lobbies.end': row(players, 'unless-backend'),
  'lobbies.delete': row(players, 'unless-backend'),
  'lobbies.events': row(players, 'required'),
  'players.erase': row(backend),
  'players.find': row(backend),
  'problems.list': row(project),
  'matches.assign': row(backend),
  'matches.backfill': row(backend),
  'matches.getBackfill': row(backend),
  'matches.cancelBackfill': row(backend),
  'matches.get': row(players, 'optional'),
  'matches.list': row(backend),
  'matches.joinToken': row(players, 'required'),

  'webhooks.create': row(project),
  'webhooks.list': row(project),
  'webhooks.get': row(project),
  'webhooks.update': row(project),
  'webhooks.delete': row(project),
  'webhooks.rotateSecret': row(project),
  'webhooks.deliveries': row(project),
  'webhooks.redeliver': row(project),
  'webhooks.test': row(project),

  'system.start': row(open),
  'system.live': row(open),
  'system.ready': row(open),
  'system.openapi': row(open),
  'system.reference': row(open),
  'system.errors': row(open),
  'system.error': row(open),
  'system.metrics': row(open),
  'system.top': row(open),
} as const satisfies Record<string, Permission>

export type Operation = keyof typeof PERMISSIONS

export const mayCall = (operation: Operation, kind: CredentialKind): boolean => {
  const { credentials }: Permission = PERMISSIONS[operation]
  return credentials.length === 0 || credentials.includes(kind)
}
