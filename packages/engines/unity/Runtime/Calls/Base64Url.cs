using System;

namespace Matchyard
{
    /// <summary>
    /// The base64url encoding of tokens: base64 with <c>-</c> and <c>_</c> in place of <c>+</c> and <c>/</c>, and without padding.
    /// </summary>
    internal static class Base64Url
    {
        /// <summary>Returns the decoded bytes; null for other text.</summary>
        public static byte[] Read(string text)
        {
            foreach (var unit in text)
            {
                var isDigit = (unit >= 'A' && unit <= 'Z') || (unit >= 'a' && unit <= 'z') || (unit >= '0' && unit <= '9') || unit == '-' || unit == '_';
                if (!isDigit) return null;
            }
            if (text.Length % 4 == 1) return null;
            var padded = text.Replace('-', '+').Replace('_', '/').PadRight((text.Length + 3) / 4 * 4, '=');
            return Convert.FromBase64String(padded);
        }
    }
}
