using System.Collections;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>A list of JSON, as it was read; it cannot be changed. To send one, any list or array will do.</summary>
    public sealed class JsonArray : IReadOnlyList<object>
    {
        private readonly List<object> items;

        internal JsonArray(List<object> items)
        {
            this.items = items;
        }

        /// <summary>How many there are.</summary>
        public int Count
        {
            get { return items.Count; }
        }

        /// <summary>The one at this place, from 0.</summary>
        public object this[int index]
        {
            get { return items[index]; }
        }

        /// <summary>All that are objects, in order.</summary>
        public IEnumerable<JsonObject> Objects()
        {
            foreach (var item in items)
            {
                var found = item as JsonObject;
                if (found != null) yield return found;
            }
        }

        /// <summary>All, in order.</summary>
        public IEnumerator<object> GetEnumerator()
        {
            return items.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>As JSON.</summary>
        public override string ToString()
        {
            return JsonText.Write(this);
        }
    }
}
