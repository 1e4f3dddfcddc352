import type { Room } from '../room'

export const lobbies: Room = {
  id: 'lobbies',
  title: 'Lobbies',
  icon: 'lobbies',
  group: 'watch',
  load: async () => (await import('./view')).View,
}
