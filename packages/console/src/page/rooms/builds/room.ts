import type { Room } from '../room'

export const builds: Room = {
  id: 'builds',
  title: 'Builds',
  icon: 'builds',
  group: 'make',
  load: async () => (await import('./view')).View,
}
