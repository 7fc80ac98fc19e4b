/** The parts of the package that we use; it brings no types along. */
declare module '@lhncbc/ucum-lhc' {
  interface BaseUnits {
    readonly status: 'succeeded' | 'failed' | 'invalid' | 'error';
    readonly magnitude?: number;
    /** Base units with their exponents. */
    readonly unitToExp?: Readonly<Record<string, number>>;
    /** Whether the unit is no multiple of its base unit, as degrees Celsius. */
    readonly fromUnitIsSpecial?: boolean;
  }
  export const UcumLhcUtils: {
    getInstance(): { convertToBaseUnits(unit: string, value: number): BaseUnits };
  };
}
declare module '@lhncbc/ucum-lhc/source-cjs/unitString.js' {
  export const UnitString: {
    getInstance(): {
      /** @returns the unit, and the text that was read as one @throws Error */
      parseString(
        text: string,
        purpose: 'validate',
        suggest: boolean,
      ): readonly [object | null, string | null];
    };
  };
}
