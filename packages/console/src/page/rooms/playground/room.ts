import type { Room } from '../room'

export const playground: Room = {
  id: 'playground',
  title: 'Playground',
  icon: 'play',
  group: 'make',
  load: async () => (await import('./view')).View,
}
