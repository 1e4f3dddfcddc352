using System.Collections;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>A JSON list that was read; it cannot be changed. To send a list, use any list or array.</summary>
    public sealed class JsonArray : IReadOnlyList<object>
    {
        private readonly List<object> items;

        internal JsonArray(List<object> items)
        {
            this.items = items;
        }

        /// <summary>Number of items.</summary>
        public int Count
        {
            get { return items.Count; }
        }

        /// <summary>Item at an index, from 0.</summary>
        public object this[int index]
        {
            get { return items[index]; }
        }

        /// <summary>Returns all items that are objects, in order.</summary>
        public IEnumerable<JsonObject> Objects()
        {
            foreach (var item in items)
            {
                var found = item as JsonObject;
                if (found != null) yield return found;
            }
        }

        /// <summary>Returns all items, in order.</summary>
        public IEnumerator<object> GetEnumerator()
        {
            return items.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>Returns the list as JSON.</summary>
        public override string ToString()
        {
            return JsonText.Write(this);
        }
    }
}
