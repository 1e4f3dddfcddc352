import type { Room } from '../room'

export const players: Room = {
  id: 'players',
  title: 'Players',
  icon: 'player',
  group: 'watch',
  load: async () => (await import('./view')).View,
}
