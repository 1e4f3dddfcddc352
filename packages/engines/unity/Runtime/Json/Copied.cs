using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>A copy of sent data at the time of the call, so that repeated attempts are equal.</summary>
    internal static class Copied
    {
        /// <summary>Returns a copy; null for null.</summary>
        public static JsonObject Of(IEnumerable<KeyValuePair<string, object>> entries)
        {
            if (entries == null) return null;
            var given = new JsonObject();
            foreach (var entry in entries) given[entry.Key] = entry.Value;
            return JsonText.ParseObject(JsonText.Write(given));
        }
    }
}
