import type { Balancer } from './balancer'
import { nginxBalancer, nginxIsHere } from './nginx'
import { ownBalancer } from './own'

/** nginx where it is installed, else a small one of our own. */
export function startBalancer(ports: readonly number[]): Promise<Balancer> {
  return nginxIsHere() ? nginxBalancer(ports) : ownBalancer(ports)
}
