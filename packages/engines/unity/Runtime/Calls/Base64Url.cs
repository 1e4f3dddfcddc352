using System;

namespace Matchyard
{
    /// <summary>The form of base64 in tokens: two other characters, and no padding.</summary>
    internal static class Base64Url
    {
        /// <summary>The bytes; null where the text is something else.</summary>
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
