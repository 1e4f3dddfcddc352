import type { Room } from '../room'

export const ratings: Room = {
  id: 'ratings',
  title: 'Ratings',
  icon: 'ratings',
  group: 'watch',
  load: async () => (await import('./view')).View,
}
