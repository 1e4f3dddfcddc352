import { AUDIT_TABLES } from './0001-initial/audit'
import { CONTROL_PLANE_TABLES } from './0001-initial/control-plane'
import { COORDINATION_TABLES } from './0001-initial/coordination'
import { FIGURE_TABLES } from './0001-initial/figures'
import { LOBBY_TABLES } from './0001-initial/lobbies'
import { SERVER_TABLES } from './0001-initial/servers'
import { WEBHOOK_TABLES } from './0001-initial/webhooks'

/** The first schema. It is edited in place until version 0.1 is released, and never changes after that. */
export const initial = [
  CONTROL_PLANE_TABLES,
  LOBBY_TABLES,
  SERVER_TABLES,
  WEBHOOK_TABLES,
  AUDIT_TABLES,
  FIGURE_TABLES,
  COORDINATION_TABLES,
].join('\n')
