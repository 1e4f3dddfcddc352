import type { Room } from '../room'

export const servers: Room = {
  id: 'servers',
  title: 'Servers',
  icon: 'servers',
  group: 'watch',
  isFirst: true,
  load: async () => (await import('./view')).View,
}
