export * from './arbitraries'
export * from './oracle'
export * from './small-pools'
