import type { Room } from '../room'

export const matches: Room = {
  id: 'matches',
  title: 'Matches',
  icon: 'matches',
  group: 'watch',
  load: async () => (await import('./view')).View,
}
