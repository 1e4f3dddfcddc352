import { CONTROL_PLANE_TABLES } from './0001-initial/control-plane'
import { COORDINATION_TABLES } from './0001-initial/coordination'
import { LOBBY_TABLES } from './0001-initial/lobbies'
import { SERVER_TABLES } from './0001-initial/servers'

/** The first schema. Like every migration it is never edited once it has landed. */
export const initial = [CONTROL_PLANE_TABLES, LOBBY_TABLES, SERVER_TABLES, COORDINATION_TABLES].join('\n')
