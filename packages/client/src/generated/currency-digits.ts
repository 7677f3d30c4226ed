// Generated from the OpenAPI document by `npm run generate`. Changes here are overwritten.

/** Currencies by the digits of their minor unit. All others have two. */
export const currencyDigits = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
