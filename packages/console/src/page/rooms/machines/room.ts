import type { Room } from '../room'

export const machines: Room = {
  id: 'machines',
  title: 'Machines',
  icon: 'machines',
  group: 'installation',
  isForOperators: true,
  load: async () => (await import('./view')).View,
}
