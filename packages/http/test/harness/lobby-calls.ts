import type { Body } from './client'
import type { Service } from './service'
import type { Studio } from './studio'

export const withServer = {
  server_settings: { version_tag: 'arena', network_ports: [{ name: 'game', internal_port: 7777 }] },
}

export const on = (lobby: Body, rest = '') => `/v1/lobbies/${lobby.lobby_id}${rest}`

/** Returns helpers for calls of players on lobbies, in the service and the studio of the running test. */
export function lobbyCalls(given: () => { readonly service: Service; readonly studio: Studio }) {
  const as = (player: string, body?: unknown) => ({
    key: given().studio.client,
    player,
    ...(body === undefined ? {} : { body }),
  })
  return {
    as,
    read: async (lobby: Body) => {
      const { service, studio } = given()
      return (await service.call(`GET ${on(lobby)}`, { key: studio.server })).body
    },
  }
}
