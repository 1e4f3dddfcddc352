import './machines.css'
import type { RoomView } from '../room'
import { MachineList } from './list'
import { MachinePage } from './machine-page'

/** Section of the machines: the list, and the page of one machine. */
export function View({ path: [id], query }: RoomView) {
  return id === undefined ? <MachineList query={query} /> : <MachinePage key={id} id={id} />
}
