export * from './arbitraries'
export * from './oracle'
