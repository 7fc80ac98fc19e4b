/** How many days entries are kept unless a setting says otherwise: 6 years (45 CFR 164.316(b)(2)(i)). */
export const ACCESS_LOG_DAYS = 2192;
